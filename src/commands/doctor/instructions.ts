import {inspectInstructions, type InspectOptions} from '../../pod/index.ts';
import type {Fact} from './fact.ts';

/** The instructions that a session in this directory would begin with, and why it would not use others. */
export async function instructionFacts(options: InspectOptions): Promise<Fact[]> {
	const found = await inspectInstructions(options);
	return found.map(each =>
		'file' in each
			? {about: 'AGENTS.md', level: 'ok', text: each.file}
			: {about: 'AGENTS.md', level: 'note', text: each.warning},
	);
}
