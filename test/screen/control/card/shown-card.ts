import {cardKinds, cardStage, type CardStageOptions} from '../../../helpers/card-stage.ts';

export const approval = cardKinds['approval']!;
export const long = {...approval, detail: Array.from({length: 100}, (_, index) => `line ${index}`).join('\n')};
export const [up, down, pageDown, end, escape] = ['\x1b[A', '\x1b[B', '\x1b[6~', '\x1b[1;5F', '\x1b[27u'];

/** Returns a card that was on the screen for a second. */
export async function shown(question = approval, options: CardStageOptions = {}) {
	const stage = await cardStage(question, options);
	await stage.pass(1000);
	return stage;
}
