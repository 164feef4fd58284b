import {inspectWorkflows, type InspectOptions} from '../../pod/index.ts';
import type {Fact} from './fact.ts';
import {workflowCount} from './texts.ts';

/** Counts the workflows of a session in this directory, and lists broken ones and warnings. */
export async function workflowFacts(options: InspectOptions): Promise<Fact[]> {
	const {workflows, warnings} = await inspectWorkflows(options);
	const own = workflows.filter(({source}) => source !== 'shipped');
	const broken = own.filter(({error}) => error !== undefined);
	return [
		{about: 'workflows', level: 'ok', text: workflowCount(own.length - broken.length)},
		...broken.map(({file, error}): Fact => ({about: 'workflows', level: 'broken', text: `${file}: ${error}`})),
		...warnings.map((text): Fact => ({about: 'workflows', level: 'note', text})),
	];
}
