import {readdir} from 'node:fs/promises';
import {expect, it} from 'vitest';
import {completion} from '../../bench/completion.mjs';
import {makeTree} from '../../bench/tree.mjs';
import {tempProject} from '../helpers/temp-project.ts';

it('the completion benchmark measures a small tree of the requested size, and every value is a number', async () => {
	const project = await tempProject();
	makeTree(project.dir, 300);
	const entries = await readdir(project.dir, {recursive: true, withFileTypes: true});
	expect(entries.filter(entry => entry.isFile())).toHaveLength(300);
	const {values, byQuery} = await completion(project.dir, {rounds: 2});
	expect(Object.entries(values).filter(([, value]) => !Number.isFinite(value))).toEqual([]);
	expect(Object.keys(byQuery)).toContain('packages/');
});
