export function unwritable(code: string): string {
	return `Cannot write to stdout (${code}).`;
}

export function unexpectedError(message: string): string {
	return `Unexpected error: ${message} Set INKPOD_DEBUG=1 for a stack trace.`;
}
