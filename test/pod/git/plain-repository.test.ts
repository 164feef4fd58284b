import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {withPlainRepository} from '../../../src/pod/git/plain-repository.ts';
import type {Repository} from '../../../src/pod/git/repository.ts';

const repository: Repository = {
	top: '/p',
	objects: '/p/.git/objects',
	index: '/p/.git/index',
	exclude: '',
	isSha256: false,
	head: [],
	settings: [['autocrlf', 'true']],
};

describe('the plain repository', () => {
	it('has its own configuration, is private, and exists only during the call', async () => {
		const made = await withPlainRepository(repository, async env => {
			const dir = env['GIT_DIR'] ?? '';
			expect(statSync(dir).mode & 0o777).toBe(0o700);
			expect(readFileSync(join(dir, 'config'), 'utf8')).toBe(
				'[core]\nrepositoryformatversion = 0\nbare = false\nsafecrlf = false\nautocrlf = true\n',
			);
			expect(env).toMatchObject({
				GIT_WORK_TREE: '/p',
				GIT_OBJECT_DIRECTORY: '/p/.git/objects',
				GIT_CONFIG_GLOBAL: '/dev/null',
			});
			return dir;
		});
		expect(made.ok && existsSync(made.value)).toBe(false);
		expect(made.ok).toBe(true);
	});

	it('is removed when the call fails', async () => {
		let dir = '';
		const failing = withPlainRepository(repository, async env => {
			dir = env['GIT_DIR'] ?? '';
			throw new Error('no');
		});
		await expect(failing).rejects.toThrow('no');
		expect(existsSync(dir)).toBe(false);
	});
});
