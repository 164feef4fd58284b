import type {WorkflowInfo} from '../../../pod/protocol.ts';
import {isCommandName} from './commands.ts';
import {shadowedWorkflow} from './texts.ts';

/** Returns a sentence for each workflow that a command of the same name hides. */
export function shadowedSentences(workflows: readonly WorkflowInfo[]): string[] {
	return workflows
		.filter(workflow => workflow.userInvocable && workflow.error === undefined && isCommandName(workflow.slug))
		.map(({slug, file}) => shadowedWorkflow(slug, file));
}
