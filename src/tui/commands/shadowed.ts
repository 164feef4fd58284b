import type {WorkflowInfo} from '../../pod/protocol.ts';
import {isCommandName} from './commands.ts';

/**
What the person is to be told of workflows that have the name of a command, a sentence for each that could be invoked.
*/
export function shadowedSentences(workflows: readonly WorkflowInfo[]): string[] {
	return workflows
		.filter(workflow => workflow.userInvocable && workflow.error === undefined && isCommandName(workflow.slug))
		.map(
			({slug, file}) =>
				`/${slug} is a command here and stays one; a space before it invokes the workflow ${file}.`,
		);
}
