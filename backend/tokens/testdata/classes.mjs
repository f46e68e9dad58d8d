// Prints ../classes.txt: the class of every character as the reference sees it.
//
// The reference is npm tiktoken 1.0.22 (OpenAI's Rust code as WebAssembly, with
// the Unicode 16.0 tables of its regular expressions). An encoder whose pattern
// is one class, over a vocabulary of single bytes, returns nothing for a text
// without a character of that class. To run it, in a folder of its own:
//
//   npm install tiktoken@1.0.22 && node classes.mjs > classes.txt
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.cwd(), 'here.js'));
const { Tiktoken } = require('tiktoken');

const bytes = Array.from({ length: 256 }, (_, i) => Buffer.from([i]).toString('base64'));
const vocabulary = `! 0 ${bytes.join(' ')}`;

// Every character of the pattern's letters must fold as classes.txt says and split.go has it.
const folds = { s: 'Ssſ', t: 'Tt', r: 'Rr', e: 'Ee', v: 'Vv', m: 'Mm', l: 'Ll', d: 'Dd' };
const classes = {
  U: '[\\p{Lu}\\p{Lt}]', L: '\\p{Ll}', B: '[\\p{Lm}\\p{Lo}]', M: '\\p{M}', N: '\\p{N}', S: '[^\\S\\r\\n]', R: '[\\r\\n]',
};

const isCharacter = (c) => c < 0xd800 || c > 0xdfff;

// members calls found with every character that the pattern matches.
function members(pattern, found) {
  const encoder = new Tiktoken(vocabulary, {}, pattern);
  for (let block = 0; block < 0x110000; block += 64) {
    const all = Array.from({ length: 64 }, (_, i) => block + i).filter(isCharacter);
    if (encoder.encode_ordinary(String.fromCodePoint(...all)).length === 0) continue;
    for (const c of all) if (encoder.encode_ordinary(String.fromCodePoint(c)).length > 0) found(c);
  }
  encoder.free();
}

for (const [letter, want] of Object.entries(folds)) {
  let got = '';
  members(`(?i:${letter})`, (c) => { got += String.fromCodePoint(c); });
  if (got !== want) throw new Error(`(?i:${letter}) matches ${got}, not ${want}`);
}

const classOf = new Array(0x110000).fill('');
for (const [name, pattern] of Object.entries(classes)) {
  members(pattern, (c) => {
    if (classOf[c]) throw new Error(`${c.toString(16)} is in ${classOf[c]} and ${name}`);
    classOf[c] = name;
  });
}
for (let first = 0; first < 0x110000; ) {
  let end = first + 1;
  while (end < 0x110000 && classOf[end] === classOf[first]) end++;
  if (classOf[first]) console.log(`${first.toString(16)} ${(end - 1).toString(16)} ${classOf[first]}`);
  first = end;
}
