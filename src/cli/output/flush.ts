import {setTimeout as wait} from 'node:timers/promises';

/**
Waits until all output is written. If a terminal accepts nothing for `patienceMs`, the wait ends, because no one reads
that terminal any more.
*/
export async function flush(
	stream: Pick<NodeJS.WriteStream, 'write' | 'writableLength'> & {readonly isTTY?: boolean},
): Promise<void> {
	const done = new Promise<true>(resolve => stream.write('', () => resolve(true)));
	if (stream.isTTY !== true) {
		await done;
		return;
	}
	for (let left = Number.POSITIVE_INFINITY; !givenUp.has(stream) && stream.writableLength < left;) {
		left = stream.writableLength;
		if (await Promise.race([done, wait(patienceMs, false, {ref: false})])) return;
	}
	givenUp.add(stream);
}

const givenUp = new WeakSet<object>();

const patienceMs = 3000;
