package wasm

import "time"

// What a module may hold. The engine allocates by what a file claims, so each
// figure is checked before it sees the file; the largest real plugin that was
// measured has 4,573 functions, 4,662 locals in one of them, blocks 1,707 deep,
// a br_table of 3,125 targets, a body of 80 kB and a table of 6,228 entries.
const (
	maxTypes      = 10_000
	maxParams     = 128 // of one function type
	maxResults    = 16
	maxBlockArity = 16 // of a block with a type of its own
	maxImports    = 1_000
	maxFuncs      = 100_000
	maxTables     = 4
	maxTable      = 100_000 // entries of one table, also the most it can grow to
	maxElements   = 200_000 // entries of all element segments
	maxSegments   = 10_000  // element segments
	maxGlobals    = 10_000
	maxExports    = 10_000
	maxDatas      = 100_000
	maxLocals     = 10_000 // of one function
	maxBody       = 1 << 20
	maxNesting    = 4_000
	maxTargets    = 20_000    // of one br_table
	maxLoopCost   = 500_000   // locals × loops of one function
	maxLoopTotal  = 5_000_000 // and of the module
	maxConst      = 16        // instructions of a constant expression
	// maxCost bounds what the interpreter's form of the code takes, about 60
	// bytes each: instructions, locals, br_table targets and values moved. The Go
	// example has about 1.1 million.
	maxCost = 5_000_000
)

// Bounds of one plugin at run time (spec/plugins.md, "Loading and calling").
const (
	instances      = 2
	maxOutput      = 1 << 20
	maxInput       = 1 << 20
	maxKernel      = 16 << 20 // Extism memory of one call: input, output and blocks
	maxBlocks      = 100_000  // live allocations in it
	maxHTTPBody    = 10 << 20 // request or answer
	maxHTTPHeaders = 64 << 10
	maxRedirects   = 5
	maxRequests    = 100 // HTTP requests of one call
	maxVars        = 1 << 20
	maxLogLine     = 8 << 10
	maxLogLines    = 100              // of one call
	maxLine        = 500              // bytes of a failure's line
	describeLimit  = 2 * time.Second  // of a trial run
	idleLimit      = time.Minute      // without a call, until a plugin is unloaded
	loadLimit      = 10 * time.Second // read, scan, compile and, in half of it, describe
	pagesPerMB     = 16
)
