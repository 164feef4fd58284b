import {mayBypassCard} from '../card/card-keys.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {App} from '../app.ts';
import type {Press} from '../../model/keys/press.ts';
import {approvalOf, changeApproval} from './approval-effects.ts';
import {changeOf} from '../../model/approval/approval-state.ts';

/**
Handles the key that cycles the approval mode. A key that cannot answer the card does not change the mode either,
because the new mode could answer the card.
*/
export function pressApproval(app: App, key: Key, press: Press): boolean {
	if (app.state.setup.keymap.action(key) !== 'approval mode') return false;
	if (!mayBypassCard(app, press)) return true;
	const change = changeOf(app.state.asks.approval, {
		mode: approvalOf(app.state),
		isHeld: press.isHeld,
		now: app.options.now(),
	});
	if (change !== undefined) changeApproval(app, change.mode, change.offersAuto);
	return true;
}
