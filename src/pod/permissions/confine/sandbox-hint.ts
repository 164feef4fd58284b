import type {Network} from './settings.ts';

/**
Returns the last line of a failed command's output that suggests that confinement caused the failure: a refused write,
connection or name lookup, or a hard link on a layer. With an open network, a failed connection or lookup has another
cause. The line is at most 200 characters long.
*/
export function sandboxHint(output: string, network: Network): string | undefined {
	const refusals = network === 'open' ? onDisk : onDiskOrNetwork;
	const line = output
		.slice(-looksAt)
		.split('\n')
		.findLast(text => refusals.test(text));
	return line?.trim().slice(0, 200);
}

/** Returns the line of a failed command's output that suggests that the limits of a trial are the cause. */
export function limitHint(output: string): string | undefined {
	const line = output
		.slice(-looksAt)
		.split('\n')
		.findLast(text => exhaustion.test(text));
	return line?.trim().slice(0, 200);
}

const exhaustion = new RegExp(
	[
		/Cannot allocate memory|ENOMEM|out of memory|MemoryError|bad_alloc/,
		/Resource temporarily unavailable|EAGAIN|device or resource busy/,
	]
		.map(({source}) => source)
		.join('|'),
	'i',
);

const looksAt = 65_536;
const diskRefusals = [
	/Read-only file system|EROFS/,
	/Permission denied|EACCES|Operation not permitted|EPERM/,
	// git compares the inode numbers of a file and its hard link. On a layer these numbers differ.
	/hardlink different from source/,
];
const networkRefusals = [
	/Network is unreachable|ENETUNREACH/,
	/Could not resolve host|Temporary failure in name resolution|EAI_AGAIN|ENOTFOUND|Name or service not known/,
];
const onDisk = anyOf(diskRefusals);
const onDiskOrNetwork = anyOf([...diskRefusals, ...networkRefusals]);

function anyOf(forms: readonly RegExp[]): RegExp {
	return new RegExp(forms.map(({source}) => source).join('|'));
}
