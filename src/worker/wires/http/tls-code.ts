/**
Returns the code of a TLS error, such as `ERR_SSL_WRONG_VERSION_NUMBER`. If writing fails, Node reports only EPROTO, and
the message contains the reason in OpenSSL's form.
*/
export function tlsCode(error: unknown): string | undefined {
	if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
	if (error.code.startsWith('ERR_SSL_')) return error.code;
	const [, reason] = error.code === 'EPROTO' ? (/:SSL routines:[^:]*:([^:]{1,100}):/.exec(error.message) ?? []) : [];
	return reason === undefined ? undefined : `ERR_SSL_${reason.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_')}`;
}
