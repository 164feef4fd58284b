import type {Reducers} from '../reducers.ts';
import {changePage} from './page-state.ts';
import {withLedger} from './context-state.ts';

export const contextReducers: Reducers<'ledger read' | 'change context' | 'show in transcript'> = {
	'ledger read': (state, {ledger}) => changePage(state, 'context', page => withLedger(page, ledger)),
	'change context': state => state,
	'show in transcript': state => state,
};
