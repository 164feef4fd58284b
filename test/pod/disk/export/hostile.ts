import {findSecrets} from '../../../../src/pod/disk/export/redact.ts';

/** Returns how many times more time a text of a megabyte takes than one of 125,000 characters. Both repeat a part. */
export function growthOf(part: string): number {
	timeOf(part, 20_000);
	const small = Math.max(30, timeOf(part, 125_000));
	return timeOf(part, 1_000_000) / small;
}

function timeOf(part: string, length: number): number {
	const text = part.repeat(length / part.length);
	const before = process.cpuUsage();
	findSecrets(text);
	const {user, system} = process.cpuUsage(before);
	return (user + system) / 1000;
}
