package cli

import (
	"os"
	"syscall"
)

// attachConsole lets a subcommand print to the console it was typed in. The program is one for the window, to which
// Windows gives no console of its own; where the output goes to a pipe or a file there is nothing to do. The console
// does not wait for such a program: its prompt comes back before the output.
func attachConsole() {
	if usable(syscall.STD_OUTPUT_HANDLE) {
		return
	}
	const parent = ^uintptr(0) // ATTACH_PARENT_PROCESS
	if done, _, _ := syscall.NewLazyDLL("kernel32.dll").NewProc("AttachConsole").Call(parent); done == 0 {
		return // started from no console
	}
	if out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0); err == nil {
		os.Stdout = out
		if !usable(syscall.STD_ERROR_HANDLE) {
			os.Stderr = out
		}
	}
	if in, err := os.OpenFile("CONIN$", os.O_RDWR, 0); err == nil && !usable(syscall.STD_INPUT_HANDLE) {
		os.Stdin = in
	}
}

func usable(which int) bool {
	handle, err := syscall.GetStdHandle(which)
	if err != nil || handle == 0 || handle == syscall.InvalidHandle {
		return false
	}
	_, err = syscall.GetFileType(handle)
	return err == nil
}
