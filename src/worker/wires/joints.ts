import type {Settings} from '../history/item.ts';
import {textJoint, unanswered} from './chat-prompt.ts';
import {isGemma} from './encode/gemini-models.ts';
import {chatDialectOf} from './forms.ts';
import {wireOf} from './load.ts';

/**
The text that a wire inserts before a user message. The keys say what precedes the message. The text belongs to no item.
*/
export type Joints = Readonly<Record<'afterPrompt' | 'afterUser' | 'afterResult', string>>;

/** Returns the texts of `Joints` for a model. `model` is the name in a setup item. */
export function jointsOf(model: string, settings: Settings): Joints {
	const wire = wireOf(model, settings);
	const chat = wire === 'openai-compatible' ? chatDialectOf(settings) : undefined;
	const hasPrompt = (wire === 'google' || wire === 'vertex') && isGemma(model.slice(model.indexOf('/') + 1));
	return {
		afterPrompt: hasPrompt || chat?.promptInMessage === true ? textJoint : '',
		afterUser: chat?.mergesUser === true ? textJoint : '',
		afterResult: chat?.answersTools === true ? unanswered : '',
	};
}
