import type {Reducers} from '../reducers.ts';
import {addAlert, noAlerts, withoutTopic} from './alerts.ts';

export const alertReducers: Reducers<'alert' | 'dismiss alerts'> = {
	alert: (state, {alert, topic}) => ({...state, alerts: addAlert(state.alerts, alert, state.now, topic)}),
	'dismiss alerts'(state, {topic}) {
		return {...state, alerts: topic === undefined ? noAlerts : withoutTopic(state.alerts, topic)};
	},
};
