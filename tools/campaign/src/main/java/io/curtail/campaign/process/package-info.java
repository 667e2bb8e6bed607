/** Processes of this machine: who they are, what they use, what happens when their parent dies. */
package io.curtail.campaign.process;
