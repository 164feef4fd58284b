import {statfsSync} from 'node:fs';

/** Tells whether a folder can be the lower layer of a cell. */
export function isLayerable(path: string): boolean {
	return layerable.has(statfsSync(path).type);
}

/**
The types of file systems (statfs(2)) that record change times and that overlayfs accepts as a lower layer: ext, xfs,
btrfs, tmpfs, f2fs, zfs, bcachefs, overlayfs.
*/
const layerable: ReadonlySet<number> = new Set([
	...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630],
]);
