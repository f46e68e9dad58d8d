package wasm

import "kandev/backend/wasm/guests"

// The names of the assembler, short: these tests are full of them.
const (
	tI32            = guests.TypeI32
	tLL             = guests.TypeLL
	tLv             = guests.TypeLv
	tLLL            = guests.TypeLLL
	fOutput         = guests.Output
	fVarSet         = guests.VarSet
	fVarGet         = guests.VarGet
	fConfig         = guests.Config
	fExit           = guests.Exit
	fLength         = guests.Length
	fOwn            = guests.Own
	echoDescription = guests.Description
)

var (
	cat          = guests.Cat
	u            = guests.U
	str          = guests.Str
	vec          = guests.Vec
	section      = guests.Section
	module       = guests.Module
	funcType     = guests.FuncType
	imported     = guests.Imported
	guestImports = guests.Imports
	i32c         = guests.I32
	i64c         = guests.I64
	get          = guests.Get
	set          = guests.Set
	callf        = guests.Call
	i64add       = guests.I64Add
	drop         = guests.Drop
	unreachable  = guests.Unreachable
	okay         = guests.Okay
	code         = guests.Code
	say          = guests.Say
	echo         = guests.Echo
	guestOf      = guests.Of
	block        = guests.Block
	fetching     = guests.Fetching
	spin         = guests.Spin
)
