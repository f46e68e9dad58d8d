//go:build linux || darwin

package proc

import "os"

// pipes are the five pipes between app and guard, by the descriptor that the guard has them on. All are close-on-exec;
// what the guard gets are copies. Our ends can be interrupted, theirs block as programs expect of their stdio.
type pipes [5]struct{ read, write *os.File }

func openPipes() (*pipes, error) {
	p := new(pipes)
	for i := range p {
		var err error
		if p[i].read, p[i].write, err = os.Pipe(); err != nil {
			p.closeTheirs()
			p.closeOurs()
			return nil, err
		}
	}
	return p, nil
}

// toGuard: the guard reads on these descriptors and writes on the others.
func toGuard(fd int) bool { return fd == 0 || fd == controlFD }

func (p *pipes) theirs(fd int) *os.File {
	if toGuard(fd) {
		return p[fd].read
	}
	return p[fd].write
}

func (p *pipes) ours(fd int) *os.File {
	if toGuard(fd) {
		return p[fd].write
	}
	return p[fd].read
}

// Closing a nil file is refused without harm, so both work on a half-made set.
func (p *pipes) closeTheirs() {
	for fd := range p {
		_ = p.theirs(fd).Close()
	}
}

func (p *pipes) closeOurs() {
	for fd := range p {
		_ = p.ours(fd).Close()
	}
}
