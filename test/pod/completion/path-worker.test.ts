import {readdir} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {createPathThread} from '../../../src/pod/completion/path-thread.ts';
import {builtProgram} from '../../helpers/built.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {pathsOf} from './searching.ts';

test('the built thread, one file that loads nothing beside it and answers', async () => {
	const chunks = path.join(path.dirname(await builtProgram()), 'chunks');
	expect(await readdir(chunks)).toContain('path-worker.js');
	const project = await tempProject({'src/main.ts': ''});
	const thread = createPathThread({file: pathToFileURL(path.join(chunks, 'path-worker.js'))});
	onTestFinished(() => thread.close());
	expect(pathsOf(await thread.ask(project.scope, 'src/', 5))).toEqual(['src/main.ts']);
});
