import {mkdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, vi, it} from 'vitest';
import {loadManifest, type Manifest} from '../../../../src/pod/open/manifest/load-manifest.ts';
import {isTrustedManifest} from '../../../../src/pod/open/manifest/trust-manifest.ts';
import {asked, choose, setting, type Setting} from '../../permissions/approval/setting.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const allows = '[[permission]]\ntool = "bash"\nmatch = "npm *"\naction = "allow"\n';
const end = answer(says('Done.'));
const npm = (callId: string) => answer(calls(callId, 'bash', {command: 'npm test'}));

async function manifestOf(text: string): Promise<{
	readonly manifest: Manifest;
	readonly reread: (text: string) => Promise<Manifest>;
	readonly env: {readonly HOME: string};
}> {
	const project = await tempProject({'inkpod.toml': text});
	const env = {HOME: join(project.dir, '..', 'home')};
	await mkdir(env.HOME);
	const load = async () => {
		const loaded = await loadManifest({
			start: project.dir,
			trusted: async contents => isTrustedManifest(env, contents),
		});
		if (!loaded.ok) throw new Error(loaded.sentence);
		return loaded.manifest;
	};
	return {
		manifest: await load(),
		env,
		async reread(next) {
			await project.write('inkpod.toml', next);
			return load();
		},
	};
}

/** Opens a pod that asks about this manifest at its start. */
async function started(
	text: string,
	...answers: ReadonlyArray<ReturnType<typeof answer>>
): Promise<Setting & Awaited<ReturnType<typeof manifestOf>>> {
	const read = await manifestOf(text);
	return {
		...read,
		...(await setting(eventModel(...answers), {
			env: read.env,
			untrusted: read.manifest.untrusted!,
			approval: {mode: 'ask', rules: {user: [], project: read.manifest.permissions ?? []}},
		})),
	};
}

/** Resolves when the answer is saved. */
const kept = async ({env, manifest}: Awaited<ReturnType<typeof manifestOf>>) =>
	vi.waitFor(async () => expect(await isTrustedManifest(env, manifest.untrusted!)).toBe(true), {timeout: 20_000});
const alerts = ({told}: Setting) => told.events.flatMap(event => (event.type === 'alert' ? [event.alert] : []));

describe('a manifest that would widen something', () => {
	it('is shown in full in a question at the start, and its rules apply once it is approved', async () => {
		const made = await started(`max_turns = 9\n${allows}`, npm('1'), end);
		const {told, ran, manifest, reread} = made;
		const {title, detail} = await choose(told, 'trust');
		expect(title).toBe(`Trust ${JSON.stringify(manifest.file)}? It sets max_turns and allow rules.`);
		expect(detail).toBe(`inkpod.toml:\nmax_turns = 9\n${allows}`.trimEnd());
		await told.until(() => alerts(made).length > 0);
		expect(alerts(made)).toEqual([
			{
				level: 'info',
				text: `Restart inkpod to apply max_turns from ${JSON.stringify(manifest.file)}.`,
			},
		]);
		await told.run('go');
		await told.rest();
		expect(ran).toEqual(['npm test']);
		const again = await reread(`max_turns = 9\n${allows}`);
		expect(again).toMatchObject({limits: {max_turns: 9}, permissions: [{action: 'allow'}]});
		expect(again.untrusted).toBeUndefined();
	});

	it('is ignored with one warning after “No”, and asked about again at the next start', async () => {
		const made = await started(allows, npm('1'), end);
		const {told, manifest, reread} = made;
		await choose(told, 'deny');
		await told.until(() => alerts(made).length > 0);
		expect(alerts(made)).toEqual([
			{
				level: 'warn',
				text: `Ignored in ${JSON.stringify(manifest.file)}: allow rules (project not trusted).`,
			},
		]);
		await told.run('go');
		expect((await asked(told)).callId).toBe('1');
		expect((await reread(allows)).untrusted).toBeDefined();
	});

	it('is not trusted after a change, and the question shows the change', async () => {
		const made = await started(allows);
		await choose(made.told, 'trust');
		await kept(made);
		const changed = await made.reread(allows.replace('npm *', '*'));
		expect(changed.permissions).toBeUndefined();
		const next = await setting(eventModel(), {env: made.env, untrusted: changed.untrusted!});
		expect((await asked(next.told)).detail).toContain('-match = "npm *"\n+match = "*"');
	});

	it('is trusted as shown when it is replaced during the question', async () => {
		const made = await started(allows);
		await asked(made.told);
		const swapped = allows.replace('npm *', '*');
		await made.reread(swapped);
		await choose(made.told, 'trust');
		await kept(made);
		expect((await made.reread(swapped)).untrusted).toBeDefined();
		expect((await made.reread(allows)).untrusted).toBeUndefined();
	});

	it('is still asked about when a run begins, and the session can be closed', async () => {
		const {told, env} = await started(allows, end);
		await asked(told);
		await told.run('go');
		await told.rest();
		expect(told.status().asks).toHaveLength(1);
		await told.pod.send({method: 'shutdown'});
		await expect(readFile(join(env.HOME, '.local'))).rejects.toThrow('ENOENT');
	});
});

it('a manifest whose pwd is a link is asked about again when the link changes', async () => {
	const project = await tempProject({'inkpod.toml': '[scope]\npwd = "way"\n', '../one/': '', '../two/': ''});
	const env = {HOME: project.path('../home')};
	await mkdir(env.HOME);
	await project.link('way', '../one');
	const load = async () =>
		loadManifest({start: project.dir, trusted: async contents => isTrustedManifest(env, contents)});
	const first = await load();
	const {told} = await setting(eventModel(end), {env, untrusted: first.ok ? first.manifest.untrusted! : undefined!});
	expect((await choose(told, 'trust')).detail).toContain(`pwd leads to:\n${project.path('../one')}`);
	await vi.waitFor(async () => expect(await load()).toMatchObject({manifest: {pwd: project.path('../one')}}), {
		timeout: 20_000,
	});
	await rm(project.path('way'));
	await project.link('way', '../two');
	expect(await load()).toMatchObject({manifest: {pwd: project.dir, untrusted: {pwdTarget: project.path('../two')}}});
});
