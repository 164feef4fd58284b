import type {PermissionInfo} from '../../../pod/protocol.ts';
import {dismissAlerts, send, showAlert, type App} from '../app.ts';
import {permissionTexts} from '../../model/pages/texts.ts';

/** Asks whether to remove a rule, and removes it in the pod. */
export async function removePermission(app: App, permission: PermissionInfo): Promise<void> {
	dismissAlerts(app);
	const {id, source} = permission;
	if (id === undefined) {
		const text = source === 'built_in' ? permissionTexts.builtIn : permissionTexts.inFile(source);
		showAlert(app, {level: 'info', text});
		return;
	}
	// The pod asks, so that every attached terminal shows the card.
	const receipt = await send(app, {method: 'remove_permission', rule: id, asks: true});
	if (!receipt.accepted && receipt.code === 'aborted') return;
	if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
	const client = await app.client.promise;
	// If the pod has gone away, that is reported elsewhere.
	const permissions = await client.permissions().catch(() => undefined);
	if (permissions === undefined) return;
	app.dispatch({type: 'permissions listed', permissions});
	app.changed('now');
}
