/* For trying under wine 8 only: Go asks bcryptprimitives.dll for random bytes, which that wine does not have. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) { return RtlGenRandom(bytes, (ULONG)length); }
