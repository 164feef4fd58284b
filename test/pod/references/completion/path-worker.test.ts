import {readdir} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createPathThread} from '../../../../src/pod/references/completion/completion.ts';
import {builtProgram} from '../../../helpers/built.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {pathsOf} from './search-paths.ts';

describe('the path worker', () => {
	it('is one built file that loads no other file, and it answers', async () => {
		const chunks = path.join(path.dirname(await builtProgram()), 'chunks');
		expect(await readdir(chunks)).toContain('path-worker.js');
		const project = await tempProject({'src/main.ts': ''});
		const thread = createPathThread({file: pathToFileURL(path.join(chunks, 'path-worker.js'))});
		onTestFinished(() => thread.close());
		expect(pathsOf(await thread.ask(project.scope, 'src/', 5))).toEqual(['src/main.ts']);
	});
});
