import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {saveBackup, backupsDir, maxBackupBytes} from '../../../../src/pod/disk/bodies/pasted.ts';
import {realFiles, type Files} from '../../../../src/pod/disk/files.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const bytes = Buffer.from([0, 255, 10, 13]);

describe('a backup', () => {
	it('creates the session folder: a file with mode 0600 in folders with mode 0700', async () => {
		const dir = join((await tempProject()).dir, 'sessions', 'one');
		expect(await saveBackup(dir, 'aa', bytes)).toEqual({ok: true});
		expect(await readFile(join(backupsDir(dir), 'aa'))).toEqual(bytes);
		const modes = await Promise.all(
			[dir, backupsDir(dir), join(backupsDir(dir), 'aa')].map(async path => (await stat(path)).mode & 0o777),
		);
		expect(modes).toEqual([0o700, 0o700, 0o600]);
	});

	it('is stored once for the same content, even when made several times at once', async () => {
		const {dir} = await tempProject();
		await Promise.all([
			saveBackup(dir, 'aa', bytes),
			saveBackup(dir, 'aa', bytes),
			saveBackup(dir, 'bb', Buffer.alloc(0)),
		]);
		await saveBackup(dir, 'aa', bytes);
		expect((await readdir(backupsDir(dir))).toSorted()).toEqual(['aa', 'bb']);
	});

	it('is refused with a sentence for a file that is too large', async () => {
		const {dir} = await tempProject();
		expect(await saveBackup(dir, 'aa', Buffer.alloc(maxBackupBytes + 1))).toEqual({
			ok: false,
			sentence: 'it is larger than 16 MiB',
		});
	});

	it('is refused with a sentence on a failing disk, and leaves no partial file', async () => {
		const {dir} = await tempProject();
		const full: Files = {
			...realFiles,
			async open(path, flags, mode) {
				const file = await realFiles.open(path, flags, mode);
				return flags === 'wx'
					? Object.assign(Object.create(file), {
							write: async () => Promise.reject(Object.assign(new Error('full'), {code: 'ENOSPC'})),
							close: async () => file.close(),
						})
					: file;
			},
		};
		expect(await saveBackup(dir, 'aa', bytes, full)).toEqual({
			ok: false,
			sentence: `There is no space left on the disk for ${backupsDir(dir)}.`,
		});
		expect(await readdir(backupsDir(dir))).toEqual([]);
	});
});
