/**
Returns the code of an error of TLS, such as `ERR_SSL_WRONG_VERSION_NUMBER`. While Node writes, it reports only EPROTO
and names the reason in the message, in the form of OpenSSL.
*/
export function tlsCode(error: unknown): string | undefined {
	if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
	if (error.code.startsWith('ERR_SSL_')) return error.code;
	const [, reason] = error.code === 'EPROTO' ? (/:SSL routines:[^:]*:([^:]{1,100}):/.exec(error.message) ?? []) : [];
	return reason === undefined ? undefined : `ERR_SSL_${reason.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_')}`;
}
