; The Windows installer: for one user, without administrator rights. build/package-windows.sh gives
;   VERSION NUMBERS PROGRAM WEBVIEW2 NOTICES OUT
; Switches: /S silent, /D=FOLDER (last), /NOWEBVIEW leaves Microsoft's WebView2 alone.
; The uninstaller asks before it removes data; silent (/S) it keeps data unless /REMOVEDATA is given.
; Exit codes: 0 done, 2 failed or cancelled, 64 Windows is too old, 66 the app is running, 67 no WebView2.
Target amd64-unicode
Unicode true
SetCompressor /SOLID lzma
RequestExecutionLevel user
ManifestDPIAware true

!include "MUI2.nsh"
!include "LogicLib.nsh"
!include "WinVer.nsh"
!include "FileFunc.nsh"

!define NAME "Kandev Desktop"
!define ID "kandev-desktop"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${ID}"
!define RUNTIME "Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
!define RUNNING "${NAME} is running. Close it, then start this again."

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
BrandingText "${NAME} ${VERSION}"
VIProductVersion "${NUMBERS}.0"
VIFileVersion "${NUMBERS}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Installs ${NAME}"
VIAddVersionKey "CompanyName" "Kandev Desktop contributors"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "..\icon\kandev-desktop.ico"
!define MUI_UNICON "..\icon\kandev-desktop.ico"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\${ID}.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open ${NAME}"
!insertmacro MUI_PAGE_LICENSE "..\..\LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; stop CODE SENTENCE ends the installer: with the sentence, or with the code when it is silent.
!macro stop CODE SENTENCE
  SetErrorLevel ${CODE}
  MessageBox MB_OK|MB_ICONSTOP "${SENTENCE}" /SD IDOK
  Abort "${SENTENCE}"
!macroend

; A program that runs cannot be opened for writing.
!macro stopIfRunning
  ${If} ${FileExists} "$INSTDIR\${ID}.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\${ID}.exe" a
    ${If} ${Errors}
      !insertmacro stop 66 "${RUNNING}"
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

Function .onInit
  SetRegView 64
  ${IfNot} ${AtLeastWin10}
    !insertmacro stop 64 "${NAME} needs Windows 10 or newer."
  ${EndIf}
FunctionEnd

Section "program"
  SetShellVarContext current
  !insertmacro stopIfRunning
  SetOutPath "$INSTDIR"
  File "/oname=${ID}.exe" "${PROGRAM}"
  File "/oname=LICENSE.txt" "..\..\LICENSE"
  File "/oname=NOTICE.txt" "..\..\NOTICE"
  File "/oname=THIRD-PARTY-NOTICES.txt" "${NOTICES}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${ID}.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\${ID}.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Kandev Desktop contributors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

; The window is drawn by Microsoft's WebView2: part of Windows 11 and of most Windows 10. Where it is missing,
; Microsoft's small installer, which is in this one, gets it from Microsoft.
Section "WebView2"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/NOWEBVIEW" $1
  ${IfNot} ${Errors}
    Return
  ${EndIf}
  ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\${RUNTIME}" "pv"
  ${If} $0 == ""
    ReadRegStr $0 HKCU "Software\${RUNTIME}" "pv"
  ${EndIf}
  ${If} $0 != ""
  ${AndIf} $0 != "0.0.0.0"
    Return
  ${EndIf}
  DetailPrint "Installing Microsoft's WebView2"
  InitPluginsDir
  SetOutPath "$PLUGINSDIR"
  File "/oname=MicrosoftEdgeWebview2Setup.exe" "${WEBVIEW2}"
  ExecWait '"$PLUGINSDIR\MicrosoftEdgeWebview2Setup.exe" /silent /install' $0
  SetOutPath "$INSTDIR"
  ${If} $0 != 0
    SetErrorLevel 67
    MessageBox MB_OK|MB_ICONEXCLAMATION "${NAME} is installed, but Microsoft's WebView2, which draws its window, is not (code $0). Connect to the internet and start this again, or install WebView2 from Microsoft." /SD IDOK
  ${EndIf}
SectionEnd

Function un.onInit
  SetRegView 64
FunctionEnd

Section "un.program"
  SetShellVarContext current
  !insertmacro stopIfRunning
  Delete "$INSTDIR\${ID}.exe"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\NOTICE.txt"
  Delete "$INSTDIR\THIRD-PARTY-NOTICES.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; only when nothing of somebody else's is in it
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  RMDir /r "$APPDATA\${ID}.exe" ; what WebView2 keeps: a cache
SectionEnd

Section "un.data"
  ${IfNot} ${FileExists} "$LOCALAPPDATA\${ID}\*.*"
    Return
  ${EndIf}
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/REMOVEDATA" $1
  ${IfNot} ${Errors}
    Goto remove
  ${EndIf}
  MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Remove your data as well?$\n$\nSessions, conversations and settings are in $LOCALAPPDATA\${ID}. They cannot be brought back. Choose No to keep them for a later installation." /SD IDNO IDYES remove
  Return
  remove:
    RMDir /r "$LOCALAPPDATA\${ID}"
SectionEnd
