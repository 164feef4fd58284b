import {t} from '../../language/index.ts';

export function serving(path: string): string {
	return t`inkpod serves sessions on ${path}. Stop it with Ctrl+C or SIGTERM: running turns are paused and saved.`;
}

/** The comment at the start of the file for the system's service manager. */
export const unitHeads = {
	systemd: [
		t`Save this as ~/.config/systemd/user/inkpod.service. Then run:`,
		t`  systemctl --user daemon-reload && systemctl --user enable --now inkpod`,
		t`To keep it running after you log out: loginctl enable-linger`,
		t`The service gets no keys from your shell. Store them with: inkpod login PROVIDER`,
	],
	launchd: [
		t`Save this as ~/Library/LaunchAgents/inkpod.serve.plist. Then run:`,
		t`  launchctl load -w ~/Library/LaunchAgents/inkpod.serve.plist`,
		t`The agent gets no keys from your shell. Store them with: inkpod login PROVIDER`,
	],
} as const;

export const unitDescription = t`inkpod sessions without a terminal`;

export function started(id: string): string {
	return `${id}\n`;
}

export function startedHint(id: string): string {
	return t`The task runs without a terminal. Watch it with: inkpod attach ${id}`;
}

export const bgNeedsPrompt = t`inkpod --bg needs a task, such as: inkpod --bg "fix the failing test"`;

export const bgNeedsId = t`--bg needs a session id after -r.`;
