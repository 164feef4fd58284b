import type {Item} from '../../../src/pod/protocol.ts';
import {createItems, type ItemMaker} from '../items.ts';
import type {Situation} from './situation.ts';

export const invocations: {readonly [name: string]: () => Situation} = {
	workflow() {
		const make = createItems();
		return {
			items: [
				make.user('', [{type: 'workflow', slug: 'commit'}]),
				workflowOf(make, 'commit', 'v1', 'Look at what is staged.\nWrite a message that says why.'),
				make.assistant('Done.'),
				make.request(),
				make.end(),
			],
		};
	},
	'workflow-with-knowledge'() {
		const make = createItems();
		return {
			items: [
				make.user('', [{type: 'workflow', slug: 'review', arguments: 'the parser'}]),
				knowledgeOf(make, 'style', 'review', 'v1', 'Tabs.\nNo default exports.'),
				knowledgeOf(make, 'tests', 'review', 'v1', 'Test behaviour.'),
				workflowOf(make, 'review', 'v1', reviewBody, 'the parser'),
				make.assistant('It reads well.'),
				make.request(),
				make.end(),
			],
		};
	},
	'workflow-before-its-knowledge'() {
		const make = createItems();
		const file = make.file('src/parse.ts', 'export {};\n');
		return {
			items: [
				make.user('', [
					{type: 'workflow', slug: 'review'},
					{type: 'text', text: ' '},
					{type: 'file_ref', path: 'src/parse.ts', outcome: {item: file.id}},
				]),
				workflowOf(make, 'review', 'v1', reviewBody),
				file,
				knowledgeOf(make, 'style', 'review', 'v1', 'Tabs.\nNo default exports.'),
				knowledgeOf(make, 'tests', 'review', 'v1', ''),
				make.assistant('It reads well.'),
				make.request(),
				make.end(),
			],
		};
	},
	'two-workflows'() {
		const make = createItems();
		return {
			items: [
				make.user('', [
					{type: 'workflow', slug: 'review'},
					{type: 'text', text: ' the parser\nthen '},
					{type: 'workflow', slug: 'commit'},
				]),
				knowledgeOf(make, 'style', 'review', 'v1', 'Tabs.\nNo default exports.'),
				workflowOf(make, 'review', 'v1', reviewBody, 'the parser'),
				knowledgeOf(make, 'style', 'commit', 'v2', 'Tabs.\nNo default exports.'),
				workflowOf(make, 'commit', 'v2', 'Write a message that says why.'),
				make.assistant('Reviewed and committed.'),
				make.request(),
				make.end(),
			],
		};
	},
};

const reviewBody = 'Read the change.\nLook for faults.\nSay what you found.\nBe kind.\nBe brief.';

function workflowOf(make: ItemMaker, slug: string, invocation: string, body: string, args?: string): Item {
	return make.system(`[Workflow /${slug}]\n${body}`, {
		kind: 'workflow',
		slug,
		invocation,
		...(args !== undefined && {arguments: args}),
	});
}

function knowledgeOf(make: ItemMaker, slug: string, workflow: string, invocation: string, body: string): Item {
	return make.system(`[Workflow /${workflow} requires Knowledge #${slug}]\n${body}`, {
		kind: 'knowledge',
		slug,
		workflow,
		invocation,
	});
}
