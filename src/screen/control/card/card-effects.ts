import {flatten} from '../../../pod/protocol.ts';
import {toSegments} from '../../editor/segments.ts';
import type {ActionOf} from '../../model/app-state.ts';
import {send, showAlert, update, type App} from '../app.ts';
import {answerMessage, answersMessage} from '../../model/drafts/answer-message.ts';
import {asksOf} from '../../model/selectors.ts';
import type {AppState} from '../../model/app-state.ts';
import {submit} from '../submit/submit.ts';
import {deadlineOf} from '../../model/card/answering.ts';
import type {AnsweringEffect} from '../../model/card/events.ts';
import {settleAsk} from './ask-here.ts';
import {stepCard} from '../../model/card/card-step.ts';
import type {AskView} from '../../view/card/card-view.ts';

/** Runs the effects of a card event on the draft and the pod. `before` is the state before the event. */
export function runCardEvent(app: App, action: CardAction, before: AppState): void {
	const step = stepCard(before, action.event);
	if (step === undefined) return;
	for (const effect of step.effects) run(app, effect, action, step.card.id);
}

/**
Reports that a frame shows the card. A due choice takes effect only after such a frame, and after all keys that arrived
were read. So a key never answers a card that is not on the screen.
*/
export function cardShown(app: App, view: AskView | undefined): void {
	const {card} = app.state.asks;
	const {isAway} = app.state.terminal;
	if (card === undefined || view === undefined || isAway) return;
	const at = app.options.now();
	const {drawnAt, isSeen} = card.answering;
	if (drawnAt === undefined) app.dispatch({type: 'card event', event: {type: 'drawn', at}});
	if (!isSeen && view.scroll + view.shown >= view.total) app.dispatch({type: 'card event', event: {type: 'seen'}});
	const due = deadlineOf(card.answering);
	if (due !== undefined && at >= due) setImmediate(() => takeDue(app));
}

function takeDue(app: App): void {
	app.dispatch({type: 'card event', event: {type: 'time', at: app.options.now()}});
	app.changed('now');
}

function run<Type extends AnsweringEffect['type']>(
	app: App,
	effect: EffectOf<Type>,
	action: CardAction,
	id: string,
): void {
	const type: Type = effect.type;
	runners[type](app, effect, action, id);
}

type EffectOf<Type extends AnsweringEffect['type']> = {
	readonly [Each in Type]: Extract<AnsweringEffect, {readonly type: Each}> & {readonly type: Each};
}[Type];
type CardAction = ActionOf<'card event'>;

const runners: {
	readonly [Type in AnsweringEffect['type']]: (
		app: App,
		effect: EffectOf<Type>,
		action: CardAction,
		id: string,
	) => void;
} = {
	edit(app, _effect, {edit}) {
		if (edit !== undefined) update(app, edit);
	},
	type: (app, {text}) => update(app, {type: 'insert', text}),
	submit: app => submit(app, 'send'),
	stop: app => void send(app, {method: 'pause'}),
	clear: app => update(app, {type: 'clear'}),
	answer: (app, effect, _action, id) => void answer(app, id, effect),
	pass() {},
};

async function answer(app: App, askId: string, effect: EffectOf<'answer'>): Promise<void> {
	const {choice, withReason, answers} = effect;
	if (settleAsk(app, askId, choice)) return;
	const draft = withReason ? toSegments(app.state.composer.editor.draft) : [];
	const reason = answers === undefined ? flatten(draft).trim() : (effect.reason ?? '');
	const callId = asksOf(app.state).find(({id}) => id === askId)?.callId;
	const message = answers === undefined ? answerMessage(callId, draft) : answersMessage(answers, callId, reason);
	app.dispatch({type: 'answer leaves', message, draft});
	const given = {...(reason !== '' && {reason}), ...(answers !== undefined && {answers: [...answers]})};
	const receipt = await send(app, {method: 'answer', askId, choice, ...given});
	if (receipt.accepted) return;
	app.dispatch({type: 'answer refused', message, draft});
	if (app.state.asks.card?.id === askId) app.dispatch({type: 'card event', event: {type: 'refused'}});
	showAlert(app, {level: 'warn', text: receipt.sentence});
}
