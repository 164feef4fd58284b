import {mkdir, writeFile} from 'node:fs/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {findNewExecutables} from '../../../../src/pod/permissions/confine/new-executables.ts';
import {presentRunLater} from '../../../../src/pod/permissions/confine/protected-places.ts';
import {createdNotes, watchCreated} from '../../../../src/pod/tools/commands/created-notes.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

async function project() {
	const made = await tempProject();
	const {dir} = made;
	const present = await presentRunLater(dir);
	const told: string[] = [];
	const confine = {
		createdSince: async () => findNewExecutables(dir, present),
		onCreated: (text: string) => void told.push(text),
	};
	return {
		dir,
		path: (name: string) => made.path(name),
		write: async (name: string, text: string) => made.write(name, text),
		present,
		told,
		confine,
	};
}

const envrc = 'The command created or replaced files that other programs run: ".envrc"';

describe('the notes about what a command created', () => {
	it('name new files that other programs run, for the model and the user', async () => {
		const {dir, write, present, told, confine} = await project();
		await write('.envrc', '');
		expect(await createdNotes(present, confine, dir)).toEqual([envrc]);
		expect(told).toEqual([envrc]);
	});

	it('come while the command runs, once for each path, and all of them at its end', async () => {
		const {dir, path, write, present, told, confine} = await project();
		const watch = watchCreated(present, confine, dir, 5);
		onTestFinished(async () => void (await watch.stop()));
		await write('.envrc', '');
		await expect.poll(() => told).toEqual([envrc]);
		for (const name of ['lib/.git/objects', 'lib/.git/refs']) await mkdir(path(name), {recursive: true});
		await writeFile(path('lib/.git/HEAD'), '');
		const disabled =
			'New repositories are disabled, because git would run programs through them. Rename this back to use them: ' +
			'"lib/.git/HEAD" → "lib/.git/HEAD.set-aside"';
		await expect.poll(() => told).toEqual([envrc, disabled]);
		await write('sub/.npmrc', '');
		const last = 'The command created or replaced files that other programs run: "sub/.npmrc"';
		expect(new Set(await watch.stop())).toEqual(new Set([envrc, disabled, last]));
	});
});
