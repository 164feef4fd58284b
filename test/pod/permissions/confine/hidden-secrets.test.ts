import {chmod, link, mkdir, mkdtemp, readFile, stat, symlink, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {makeStandIns, recordsReads, secretsIn} from '../../../../src/pod/permissions/confine/hidden-secrets.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

async function secretsOf(project: TempProject): Promise<readonly string[] | undefined> {
	return (await secretsIn([project.dir], join(project.dir, '../home')))
		?.map(path => path.slice(project.dir.length + 1))
		.toSorted();
}

describe('the secrets of a project', () => {
	it('are found by their names at any depth, also in packages and in folders of git', async () => {
		const project = await tempProject({
			'.env': 'A=1',
			'src/a.ts': '',
			'deploy/prod/server.key': 'k',
			'node_modules/p/test/.env': 'A=2',
			'.git/HEAD': 'ref: refs/heads/main\n',
			'.git/objects/ab/': '',
			'.git/refs/': '',
			'.git/x/id_rsa': 'k',
			'.env.example': '',
		});
		expect(await secretsOf(project)).toEqual([
			'.env',
			'.git/x/id_rsa',
			'deploy/prod/server.key',
			'node_modules/p/test/.env',
		]);
	});

	it('are found through links, by the file that the link means', async () => {
		const project = await tempProject({'plain.txt': 'A=1'});
		await symlink('plain.txt', project.path('.env'));
		expect(await secretsOf(project)).toEqual(['plain.txt']);
	});

	it('are found again after another one was added', async () => {
		const project = await tempProject({'.env': 'A=1', 'd/b.txt': ''});
		expect(await secretsOf(project)).toEqual(['.env']);
		await project.write('d/id_rsa', 'k');
		expect(await secretsOf(project)).toEqual(['.env', 'd/id_rsa']);
	});

	it('are found after a folder has become one of git', async () => {
		const project = await tempProject({'sub/d/.env': 'A=1', 'objects/': '', 'refs/': ''});
		expect(await secretsOf(project)).toEqual(['sub/d/.env']);
		await project.write('HEAD', 'ref: refs/heads/main\n');
		expect(await secretsOf(project)).toEqual(['sub/d/.env']);
	});

	it.each(['config', 'modules/x/config', 'logs/HEAD', 'FETCH_HEAD'])('cannot be hidden in %s of git', async name => {
		const project = await tempProject({'.git/HEAD': 'x', '.git/objects/': '', '.git/refs/': ''});
		await project.write(`.git/${name}`, 'url = https://me:hunter2hunter2@example.com/a.git\n');
		expect(await secretsOf(project)).toBe(undefined);
		await project.write(`.git/${name}`, 'url = https://example.com/a.git\n');
		expect(await secretsOf(project)).toEqual([]);
	});

	it('cannot be hidden if a key of the home folder has another name, or if a path is not UTF-8', async () => {
		const project = await tempProject({'a.txt': ''});
		await mkdir(project.path('../home/.ssh'), {recursive: true});
		await writeFile(project.path('../home/.ssh/id_rsa'), 'k');
		await link(project.path('../home/.ssh/id_rsa'), project.path('notes'));
		expect(await secretsOf(project)).toBe(undefined);
		const other = await tempProject({});
		await writeFile(Buffer.concat([Buffer.from(other.path('.env.')), Buffer.of(0xe9)]), 'k');
		expect(await secretsOf(other)).toBe(undefined);
	});

	it('cannot be hidden if one has a second name, if there are too many, or if git has a login', async () => {
		const linked = await tempProject({'.env': 'A=1'});
		await link(linked.path('.env'), linked.path('innocent.txt'));
		expect(await secretsOf(linked)).toBe(undefined);
		const many = await tempProject(Object.fromEntries(Array.from({length: 101}, (_, n) => [`${n}.pem`, 'k'])));
		expect(await secretsOf(many)).toBe(undefined);
		const login = await tempProject({
			'.git/HEAD': 'ref: refs/heads/main\n',
			'.git/objects/': '',
			'.git/refs/': '',
			'.git/config': '[remote "origin"]\n\turl = https://me:hunter2hunter2@example.com/a.git\n',
		});
		expect(await secretsOf(login)).toBe(undefined);
	});
});

// Some machines mount their disks with `noatime`.
const canTell = recordsReads(await mkdtemp(join(tmpdir(), 'inkpod-reads-')));

describe('the file in place of a secret', () => {
	it.skipIf(!canTell)(
		'has the facts of the secret, but not its contents, and tells when it was read or changed',
		async () => {
			const project = await tempProject({'.env': 'KEY=secret\n', 'in/': ''});
			await chmod(project.path('.env'), 0o640);
			await utimes(project.path('.env'), 1_700_000_000, 1_700_000_001);
			const folder = project.path('in');
			const [made] = makeStandIns([project.path('.env')], folder)!;
			const [real, own] = await Promise.all([stat(project.path('.env')), stat(made!.source)]);
			expect([own.size, own.blocks, own.mode, own.mtimeMs, own.uid]).toEqual([
				...[real.size, real.blocks, real.mode, real.mtimeMs, real.uid],
			]);
			expect(made!.isTouched()).toBe(false);
			expect(await readFile(made!.source, 'utf8')).not.toContain('secret');
			expect(made!.isTouched()).toBe(true);
			await mkdir(project.path('other'));
			const [second] = makeStandIns([project.path('.env')], project.path('other'))!;
			await writeFile(second!.source, '');
			expect(second!.isTouched()).toBe(true);
		},
	);

	it('is not made for a secret that is gone', async () => {
		const project = await tempProject({'in/': ''});
		expect(makeStandIns([project.path('.env')], project.path('in'))).toBe(undefined);
	});
});
