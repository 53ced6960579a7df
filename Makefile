# Everything that people do with this repository. .ci/run does what must hold
# before a change goes in.

GO ?= go
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: build test lint bench dist clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o zerolag .

test:
	$(GO) test ./...

lint:
	$(GO) vet ./...
	test -z "$$($(GO) tool gofumpt -l .)"
	$(GO) tool staticcheck ./...

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Static binaries, one per platform.
dist:
	rm -rf dist
	@set -e; for platform in $(PLATFORMS); do \
		os=$${platform%/*}; arch=$${platform#*/}; \
		name=dist/zerolag-$$os-$$arch; \
		if [ "$$os" = windows ]; then name=$$name.exe; fi; \
		echo "$$name"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -ldflags '-s -w' -o "$$name" .; \
	done

clean:
	rm -rf dist zerolag
