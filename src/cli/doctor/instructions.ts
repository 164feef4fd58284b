import {inspectInstructions, type InspectOptions} from '../../pod/index.ts';
import type {Fact} from './fact.ts';

/**
Lists the instruction files that a session in this directory would read, and the ones that it would skip, with reasons.
*/
export async function instructionFacts(options: InspectOptions): Promise<Fact[]> {
	const found = await inspectInstructions(options);
	return found.map(each =>
		'file' in each
			? {about: 'AGENTS.md', level: 'ok', text: each.file}
			: {about: 'AGENTS.md', level: 'note', text: each.warning},
	);
}
