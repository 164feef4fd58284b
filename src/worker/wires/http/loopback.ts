/** Tells whether a URL points to this machine. */
export function isLoopback({hostname}: {readonly hostname: string}): boolean {
	return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/i.test(
		hostname,
	);
}
