import {copyFileSync, symlinkSync} from 'node:fs';
import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Env} from '../env/env.ts';
import {withOwnGit} from '../git/own-git.ts';
import {bytesOf} from './effects.ts';
import type {IndexPack} from './git-objects.ts';

/** Returns what makes the index of a pack, in a repository of inkpod's without any other objects. */
export function packIndexer(env: Env): IndexPack {
	return async (pack, index, hashBytes) => {
		const dir = await mkdtemp(join(tmpdir(), 'inkpod-pack-'));
		try {
			await Promise.all(['objects', 'refs'].map(async name => mkdir(join(dir, name))));
			// The path of a pack may not be UTF-8, and git does not share the descriptors of inkpod.
			const target = pack.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
			symlinkSync(bytesOf(target), join(dir, 'made.pack'));
			const settings = {words: [], excludesFile: '/dev/null'};
			const repository = {folder: dir, common: dir, isSha256: hashBytes === 32, settings};
			const used = await withOwnGit(repository, {env, isUnlogged: true}, async git =>
				git(['index-pack', '-o', join(dir, 'made.idx'), join(dir, 'made.pack')], {maxMs}),
			);
			if (!used.ok || used.value.type !== 'done') return false;
			copyFileSync(join(dir, 'made.idx'), bytesOf(index));
			return true;
		} finally {
			await rm(dir, {recursive: true, force: true});
		}
	};
}

/** The pack of a large repository takes minutes. */
const maxMs = 600_000;
