import type {WorkflowInfo} from '../../pod/protocol.ts';
import {isCommandName} from './commands.ts';
import {shadowedWorkflow} from './texts.ts';

/**
A sentence for each workflow that could be invoked if no command had its name.
*/
export function shadowedSentences(workflows: readonly WorkflowInfo[]): string[] {
	return workflows
		.filter(workflow => workflow.userInvocable && workflow.error === undefined && isCommandName(workflow.slug))
		.map(({slug, file}) => shadowedWorkflow(slug, file));
}
