import {readFileSync} from 'node:fs';
import {contains} from '../../ground/files/contains.ts';

/**
Returns the places where file systems are mounted. The fifth field of `/proc/self/mountinfo` is the mount point, with
blanks as octal numbers (proc(5)).
*/
export function mountPoints(): readonly string[] {
	return readFileSync('/proc/self/mountinfo', 'utf8')
		.trimEnd()
		.split('\n')
		.map(line =>
			(line.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
				String.fromCharCode(Number.parseInt(octal, 8)),
			),
		);
}

/** Tells whether anything is mounted inside a folder. */
export function hasMountIn(folder: string, points: readonly string[]): boolean {
	return points.some(point => point !== folder && contains(folder, point));
}
