/**
Returns the line of a failed command's output that suggests that confinement is the cause: a write, a connection or a
name resolution that was refused, or a hard link on a layer. A line is cut to a limit.
*/
export function sandboxHint(output: string): string | undefined {
	const line = output
		.slice(-looksAt)
		.split('\n')
		.findLast(text => refusals.test(text));
	return line?.trim().slice(0, 200);
}

const looksAt = 65_536;
const refusals = new RegExp(
	[
		/Read-only file system|EROFS/,
		/Permission denied|EACCES|Operation not permitted|EPERM/,
		// git compares the numbers of a file and of its hard link, which differ on a layer.
		/hardlink different from source/,
		/Network is unreachable|ENETUNREACH/,
		/Could not resolve host|Temporary failure in name resolution|EAI_AGAIN|ENOTFOUND|Name or service not known/,
	]
		.map(({source}) => source)
		.join('|'),
);
