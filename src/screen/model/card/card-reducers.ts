import type {AppState} from '../app-state.ts';
import type {Reducers} from '../reducers.ts';
import type {Card} from './card.ts';
import {stepCard} from './card-step.ts';

type CardAction = 'card event' | 'scroll card' | 'note on card' | 'open own ask' | 'close own ask';

export const cardReducers: Reducers<CardAction> = {
	'card event': (state, {event}) => withCard(state, stepCard(state, event)?.card),
	'scroll card': (state, {scroll}) => withCard(state, state.card && {...state.card, scroll}),
	'note on card'(state, {note}) {
		const {card} = state;
		return withCard(state, card && {...card, answering: {...card.answering, note}});
	},
	'open own ask': (state, {ask}) => ({...state, ownAsks: [...state.ownAsks, ask]}),
	'close own ask': (state, {id}) => ({...state, ownAsks: state.ownAsks.filter(ask => ask.id !== id)}),
};

function withCard(state: AppState, card: Card | undefined): AppState {
	return card === undefined || card === state.card ? state : {...state, card};
}
