/** Searches an error and its causes for an error of the given class, because libraries wrap errors in other errors. */
export function causeIn<Wanted extends Error>(
	error: unknown,
	wanted: new (...args: never[]) => Wanted,
): Wanted | undefined {
	let current = error;
	for (let depth = 0; depth < maxDepth && current instanceof Error; depth++) {
		if (current instanceof wanted) return current;
		current = current.cause;
	}
	return undefined;
}

const maxDepth = 16;
