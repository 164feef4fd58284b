import {t} from '../../language/index.ts';

export function unwritable(code: string): string {
	return t`Cannot write to stdout (${code}).`;
}

export function unexpectedError(message: string): string {
	return t`Unexpected error: ${message} Set INKPOD_DEBUG=1 for a stack trace.`;
}
