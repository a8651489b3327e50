import { PhotonMCP, io } from '@portel/photon-core';

type Step = { who: string; approved: boolean };

/** Approvals one after another */
export default class ApprovalChain extends PhotonMCP {
  /**
   * Ask everybody in turn
   * @param subject What is approved
   */
  async *ask_all(params: { subject: string }): AsyncGenerator<any, { approved: boolean; steps: Step[] }> {
    const steps: Step[] = [];
    for (const who of ['editor', 'lawyer', 'boss']) {
      let approved = false;
      try {
        approved = yield io.ask.confirm(`As ${who}: do you approve ${params.subject}?`, { default: true });
      } catch (error: any) {
        yield io.emit.log(`${who}: ${error?.message ?? error}`, 'error');
      } finally {
        steps.push({ who, approved });
      }
      if (!approved) break;
    }
    return { approved: steps.length === 3 && steps.every((step) => step.approved), steps };
  }
}
