import {describe, expect, it} from 'vitest';
import {memorySource} from '../../../../src/pod/disk/bundle/byte-source.ts';
import {isPlainName, readTar, tarOf, type TarEntry} from '../../../../src/pod/disk/bundle/tar.ts';

async function tar(entries: readonly TarEntry[]): Promise<Buffer> {
	async function* given(): AsyncGenerator<TarEntry> {
		yield* entries;
	}
	const pieces: Buffer[] = [];
	for await (const piece of tarOf(given())) pieces.push(piece);
	return Buffer.concat(pieces);
}

const file = (name: string, text = 'text') => ({name, bytes: Buffer.from(text)});

/** Changes bytes of the first header, and corrects its checksum. */
function patched(archive: Buffer, at: number, text: string): Buffer {
	const bytes = Buffer.from(archive);
	bytes.write(text, at, 'latin1');
	bytes.fill(0x20, 148, 156);
	const sum = bytes.subarray(0, 512).reduce((all, byte) => all + byte, 0);
	bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
	return bytes;
}

async function sentence(archive: Buffer, most?: number): Promise<string> {
	const read = await readTar(memorySource(archive), most);
	return read.ok ? 'accepted' : read.sentence;
}

describe('a tar archive', () => {
	it('has the same files after it is read, also with long names and with no bytes', async () => {
		const long = `${'a'.repeat(120)}/${'b'.repeat(120)}`;
		const deep = `${'c'.repeat(26)}/children/${'d'.repeat(26)}/kept/${'e'.repeat(64)}`;
		const files = [file('a.txt', ''), file(long, 'x'.repeat(512)), file(deep, 'y'.repeat(1025)), file('z/z')];
		const read = await readTar(memorySource(await tar(files)));
		if (!read.ok) throw new Error(read.sentence);
		expect([...read.entries.keys()]).toEqual(files.map(({name}) => name));
		for (const {name, bytes} of files) expect(await read.entries.get(name)!.read(0, 9999)).toEqual(bytes);
	});

	it('is refused with names that are absolute, leave the folder or repeat', async () => {
		for (const name of ['/etc/passwd', '../a', 'a/../b', './a', 'a//b', 'a/', 'a\nb', 'a\\b', 'C:x', 'ä', ''])
			expect([name, isPlainName(name)]).toEqual([name, false]);
		expect(await sentence(await tar([file('../a')]))).toContain('"../a" is not allowed');
		expect(await sentence(await tar([file('a'), file('a')]))).toBe('It contains a twice.');
	});

	it('is refused with links, folders and devices', async () => {
		const archive = await tar([file('a', '')]);
		for (const type of ['1', '2', '3', '4', '5', '6', '7', 'g', 'L', 'S'])
			expect(await sentence(patched(archive, 156, type))).toContain('a is not a regular file');
		expect(await sentence(patched(archive, 156, 'x'))).toContain('was changed, or the file is not a tar');
		expect(await sentence(patched(archive, 124, '77777777777'))).toContain('It is cut off');
	});

	it('is refused if it has too many files, is cut off, or contains other bytes', async () => {
		const archive = await tar([file('a'), file('b')]);
		expect(await sentence(archive, 1)).toBe('It contains more than 1 files.');
		expect(await sentence(archive, 2)).toBe('accepted');
		for (const end of [0, 100, 512, 600, 1536, archive.length - 512])
			expect(await sentence(archive.subarray(0, end))).not.toBe('accepted');
		for (let at = 0; at < archive.length; at++) {
			const bytes = Buffer.from(archive);
			bytes[at]! ^= 0x01;
			const isContent = (at >= 512 && at < 516) || (at >= 1536 && at < 1540);
			expect([at, (await sentence(bytes)) === 'accepted']).toEqual([at, isContent]);
		}
	});
});
