# What people install; included by the Makefile. Everything goes to build/bin/packages.

PACKAGES := build/bin/packages

.PHONY: package package-linux package-windows package-macos sums icons icons-drift notices notices-drift \
	try-deb try-fresh try-windows package-check release-notes

package: package-linux package-windows sums ## everything that Linux can build: .deb, .rpm, .tar.gz, Windows installer, SHA256SUMS
	@ls -l $(PACKAGES)

package-linux: build ## .deb, .rpm and .tar.gz
	@build/setup.sh run package
	@VERSION=$(RELEASE) build/package-linux.sh $(BIN) $(PACKAGES)
	@VERSION=$(RELEASE) build/package-look.sh $(PACKAGES)

package-windows: front ## the Windows installer, per user
	@build/setup.sh run nsis
	@VERSION=$(RELEASE) build/package-windows.sh $(PACKAGES)

package-macos: build ## the .app and .dmg; on a Mac only
	@VERSION=$(RELEASE) build/package-macos.sh $(BIN) $(PACKAGES)

sums: ## SHA256SUMS of the packages
	@cd $(PACKAGES) && rm -f SHA256SUMS && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS

package-check: notices-drift icons-drift ## desktop file, metainfo, plists, workflow, notices and icons are in order
	@build/setup.sh check
	@build/package-check.sh

icons: ## draw the icon in all its forms from build/icon/icon.svg
	@go -C tools run ./icons ../build/icon

icons-drift: icons ## fail when the icons are not what `make icons` draws
	@build/drift.sh icons build/icon

notices: $(MODULES) ## write the licences of what we ship
	@mkdir -p build/tmp && go -C tools run ./notices .. >build/tmp/notices.txt && mv build/tmp/notices.txt build/package/THIRD-PARTY-NOTICES.txt

notices-drift: notices ## fail when they are not what `make notices` writes
	@build/drift.sh notices build/package/THIRD-PARTY-NOTICES.txt

release-notes: ## the part of CHANGELOG.md for VERSION
	@build/release-notes.sh $(RELEASE)

try-deb: ## install, use, upgrade and remove the .deb on a clean Debian; as root
	@build/setup.sh run e2e package try
	@build/try-deb.sh

try-fresh: ## the README's two commands on a clean Debian; as root
	@build/setup.sh run e2e try
	@build/try-fresh.sh

try-windows: ## install, use, upgrade and remove the Windows version under wine
	@build/setup.sh run nsis wine
	@build/try-windows.sh
