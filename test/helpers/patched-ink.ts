import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import type * as Ink from 'ink';
import type * as React from 'react';
import {rolldown} from 'rolldown';
import type {OutputClass} from '../../src/screen/terminal/output/index.ts';
import {patches, patchPlugin} from '../../scripts/patches.mjs';
import {projectRoot} from './built.ts';

/** Ink and its React. */
export type InkAndReact = {readonly ink: typeof Ink; readonly react: typeof React};
/** The same, with the layout engine that this copy of Ink uses. */
export type PatchedInk = InkAndReact & {readonly yoga: {readonly Node: {create: () => LayoutNode}}};
type LayoutNode = {calculateLayout: (width: number | undefined, height: number | undefined, direction: 1) => void};

/**
Returns Ink as in the build, with all our patches. It is bundled into a temporary folder, which is deleted afterwards.
*/
export async function loadPatchedInk(): Promise<PatchedInk> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'inkpod-ink-'));
	try {
		const entry = path.join(folder, 'entry.mjs');
		await writeFile(
			entry,
			"export * as ink from 'ink';\nexport * as react from 'react';\nexport {default as yoga} from 'yoga-layout';\n",
		);
		const build = await rolldown({
			input: entry,
			cwd: projectRoot,
			platform: 'node',
			resolve: {
				alias: {
					ink: installed('ink/build/index.js'),
					react: installed('react/index.js'),
					'yoga-layout': installed('yoga-layout/dist/src/index.js'),
				},
			},
			transform: {define: {'process.env.NODE_ENV': JSON.stringify('production')}},
			plugins: [patchPlugin(patches)],
		});
		await build.write({file: path.join(folder, 'ink.mjs'), codeSplitting: false});
		await build.close();
		return (await import(pathToFileURL(path.join(folder, 'ink.mjs')).href)) as PatchedInk;
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
}

function installed(file: string): string {
	return path.join(projectRoot, 'node_modules', file);
}

/** Returns Ink's own `Output`, which its package does not export. */
export async function loadStockOutput(): Promise<OutputClass> {
	const module = (await import(pathToFileURL(installed('ink/build/output.js')).href)) as {default: OutputClass};
	return module.default;
}
