import type {PermissionOption} from '@agentclientprotocol/sdk';
import type {Question, QuestionAnswer} from '../../pod/protocol.ts';
import {permissionTexts} from '../texts.ts';

const noAnswer = 'none';

/** Returns the options of a question of the model. An editor has no field for a text, so a text is a later message. */
export function questionOptions({options = []}: Question): PermissionOption[] {
	return [
		...options.map((name, index): PermissionOption => ({optionId: `option-${index}`, name, kind: 'allow_once'})),
		{optionId: noAnswer, name: permissionTexts.noAnswer, kind: 'reject_once'},
	];
}

/** Returns the answer that an option means. */
export function questionAnswer(optionId: string): QuestionAnswer {
	const [, index] = /^option-(\d)$/.exec(optionId) ?? [];
	return index === undefined ? {} : {options: [Number(index)]};
}
