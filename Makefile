# make            builds .build/release/authctl; names the packages that are missing, and installs none
# make deps       installs what `make` needs; FOR=demo, picture, test, bench or torture: what those need
# make check      lint and the tests that need no keyring and no root: before each commit
# make lint       formatting, shell scripts, line length, plain words
# make test       installs what is missing (make deps FOR=test) and runs every test; this is what CI runs
# make demo       installs what is missing (make deps FOR=demo), builds, and shows the main job against a loopback
#                 server and a real keyring
# make picture    takes the README's picture of a first login again: .github/login.svg
# make install    installs the program, manual and completions: PREFIX=/usr/local DESTDIR= NAME=authctl
# make generate   writes the manual pages from the table of commands
# make format     formats the Swift sources
# make torture    attacks sessions: kills, keyring faults, server faults, storms, a Debian in a folder; takes minutes
# make fuzz       runs libFuzzer on each parser, SECONDS=600 each
# make bench      measures against curl and secret-tool, in pairs, and cost against size; takes minutes
# make clean      removes .build

PREFIX ?= /usr/local
NAME ?= authctl
SECONDS ?= 600
FOR ?= build

# Nothing links against the program: without its 11,000 exported symbols libcurl's are found in half the time. It is
# position-independent; its 56,000 relative relocations are packed (DT_RELR, glibc 2.36 or later) and cost little. GNU
# ld takes from the static libraries what is used; lld would take the whole of Foundation with ICU, 43 MB more.
LINK = -Xswiftc -use-ld=bfd $(foreach option,\
  -s --no-export-dynamic --gc-sections -z pack-relative-relocs -z relro -z now -T $(CURDIR)/.make/relro.ld,\
  -Xlinker $(option))
# All C and C++, that of packages too. No $ORIGIN in the run path: no library is taken from the program's folder.
HARD = $(foreach option,-fstack-protector-strong -fstack-clash-protection -ftrivial-auto-var-init=zero \
  -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS,-Xcc $(option) -Xcxx $(option)) --disable-local-rpath
# Swift's runtime and BoringSSL need the C++ library. Within the program, where it is installed, it saves 0.4 ms at each
# start.
STDCXX := $(filter /%,$(shell clang -print-file-name=libstdc++.a))
WITHIN = $(if $(STDCXX),-Xlinker -L$(CURDIR)/.build/static -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
# The metadata of a generic type is made by code of its own, and not looked up by its name among all conformances of the
# program: a third of the instructions of a start.
QUICK = -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The linker drops debug information: none is made.
BUILD = swift build --configuration release --static-swift-stdlib -debug-info-format none $(LINK) $(HARD) $(WITHIN) \
  $(QUICK)
RELEASE = .build/release
SOURCES = Makefile .make/relro.ld .make/pins Package.swift $(shell find Sources -type f)
# Built as the program is, for demo and tests.
HELPERS = $(addprefix $(RELEASE)/,authlab KeyringProbe CurlProbe)

# For Package.swift: exactly the versions of .make/pins.
export AUTHCTL_PINNED = 1

.PHONY: all deps check lint test demo picture install generate format torture fuzz bench clean
.DELETE_ON_ERROR:

all: $(RELEASE)/authctl

# For valgrind 3.19, which writes to the mask of sigsuspend: libdispatch's is a constant.
$(RELEASE)/KeyringProbe $(RELEASE)/CurlProbe: LINK += -Xlinker -z -Xlinker norelro

$(HELPERS): $(shell find $(addprefix Tests/,$(notdir $(HELPERS))) -type f)

$(RELEASE)/authctl $(HELPERS): $(SOURCES) | .build/static/libstdc++.a
	@.make/packages check build
	$(BUILD) --product $(@F)
	@.make/pinned
	@touch $@

# The only library in a folder that the linker searches first.
.build/static/libstdc++.a:
	@mkdir -p $(@D)
	$(if $(STDCXX),@ln -sf $(STDCXX) $@,@true)

deps:
	@.make/packages install $(FOR)
	$(if $(filter test,$(FOR)),@Tests/Servers/install.sh)

check: lint
	@.make/packages check check
	swift build --build-tests
	Tests/run.sh --filter CurlTests
	Tests/run.sh --filter HTTPServerTests
	Tests/run.sh --skip EndToEndTests --skip KeyringTests --skip CurlTests --skip HTTPServerTests

lint:
	@.make/packages check lint
	@.make/lint

test:
	@$(MAKE) --no-print-directory deps FOR=test
	@Tests/all.sh

demo:
	@$(MAKE) --no-print-directory deps FOR=demo
	@.make/quietly .build/demo.log $(MAKE) --no-print-directory $(RELEASE)/authctl $(RELEASE)/authlab
	@Tests/Demo/demo.sh $(RELEASE)

# The terminal emulator, in the version of pins.txt.
.build/picture/pins.txt: Tests/Demo/pins.txt
	@/usr/bin/python3 -m venv $(@D)
	@$(@D)/bin/python -m pip --quiet --disable-pip-version-check install --no-deps --only-binary :all: --requirement $<
	@cp $< $@

picture:
	@$(MAKE) --no-print-directory deps FOR=picture
	@$(MAKE) --no-print-directory $(RELEASE)/authctl $(RELEASE)/authlab .build/picture/pins.txt
	@.build/picture/bin/python Tests/Demo/picture.py $(RELEASE) .github/login.svg

torture:
	@.make/packages check torture
	@$(MAKE) --no-print-directory $(RELEASE)/authctl $(RELEASE)/authlab
	@Tests/Torture/torture.py $(RELEASE)

fuzz:
	@.make/packages check test
	@Tests/Fuzz/fuzz.sh $(SECONDS)

bench:
	@.make/packages check bench
	@$(MAKE) --no-print-directory $(RELEASE)/authctl $(RELEASE)/authlab
	@/usr/bin/python3 Tests/Bench/bench.py $(RELEASE)

install: all
	.make/install "$(RELEASE)/authctl" "$(NAME)" "$(DESTDIR)$(PREFIX)"

format:
	swift format format --in-place --recursive Package.swift Sources Tests

generate:
	AUTHCTL_REGENERATE=1 swift test --filter GeneratedFiles

clean:
	rm -rf .build
