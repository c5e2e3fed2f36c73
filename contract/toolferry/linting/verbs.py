"""The verbs that stand in names of tools."""

from __future__ import annotations

from typing import Final

#: Verbs, the short forms of some, and the commands of shells; also words that can be nouns,
#: because a rule that looks for a verb must not cry over `flights_book`.
VERBS: Final = frozenset(
    """
    abort accept access acknowledge acquire act activate add adjust adopt advance advertise
    alert align allocate allow alter amend analyse analyze annotate announce answer append apply
    appoint approve approximate archive are arrange ask assemble assess assign associate attach
    attack attempt audit authenticate authorise authorize autocomplete await award backup
    balance ban begin bet bid bind block book bookmark boost boot borrow brainstorm break
    broadcast browse build bulk buy bypass calc calculate calibrate call can cancel capture cat
    cd chain change charge chart chat check checkout chmod choose chown claim classify clean
    cleanup clear click clone close cluster collect combine comment commit compare compile
    complete compose compress compute concat conclude conduct configure confirm connect consume
    contact contains continue contribute convert cook copy correct count cp crawl create crop
    cross cut cycle deactivate debug decide decline decode decompress decrease decrypt deduct
    define del delegate delete deliver deny deploy deposit derive describe deselect design
    destroy detach detect determine diagnose diff disable discard disconnect discover dismiss
    dispatch display dispute distribute divide do donate download draft drag draw drive drop du
    dump duplicate earn echo edit eject email embed emit enable encode encrypt end engage
    enhance enlist enqueue enrich enrol enroll ensure enter enumerate equip erase escalate
    estimate evaluate evolve examine exchange exclude exec execute exit expand experiment
    explain explore export extend extract factorise factorize fail fetch fight file fill filter
    finalise finalize find finish fire fit fix flag flip flush follow force foreach forecast
    forget fork format forward free freeze fulfil fulfill fund fuse gather generate geocode get
    gets give gives go goto grab grade grant graph greet grep group guess halt handle handover
    harvest has hash have help hide highlight hire hold hover identify ignore impersonate
    implement import improve include increase increment index infer inform init initialise
    initialize initiate insert inspect install instantiate integrate interpolate interpret
    intersect introduce invalidate invert invest investigate invite invoke is issue iterate join
    judge jump kick kill label launch lay learn leave lend lift limit link list listen load
    locate lock log login logout look lookup loop lower ls mail make manage map mark match
    maximise maximize measure memorise memorize mention merge message migrate minimise minimize
    mint mix mkdir mock modify monitor mount move mul mult multiply mutate mute mv navigate
    negotiate nominate normalise normalize notify observe obtain offer open operate optimise
    optimize order organise organize outline override paginate paint parse partition pass paste
    patch pause pay perform permit persist pick pin ping plan play plot poll populate portray
    post practise predict preheat prepare preprocess present press preview print prioritise
    prioritize process procure produce promote prompt prove provide provision prune publish pull
    purchase purge push put pwd quantify query queue quit quote raise randomise randomize rank
    rate reach react read rebase reboot rebuild recall receive recognise recognize recommend
    reconcile record recover recruit redeem redirect redo reduce refactor refer refine reflect
    refresh refuel refund register reject relate release reload relocate remember remind remove
    rename render renew rent repair repeat replace replay reply report repost represent
    reproduce request requires reschedule reseat reserve reset resize resolve respond restart
    restore restrict resubscribe resume retrain retrieve retry return returns retweet reverse
    revert review revise revoke rewind rewrite ride rm rmdir roll rollback rotate round route
    run sample save say scale scan schedule score scrape screenshot scroll search secure seek
    segment select sell send separate serve set setup share ship show shuffle shutdown sign
    simplify simulate skip sleep slice snooze solve sort spawn speak specify spend spin split
    star start stop store stream stretch strip submit subscribe subtract suggest sum summarise
    summarize supply suspend swap switch sync synchronise synchronize synthesise synthesize
    tabulate tag tail take talk teach tell terminate test text think throw toggle tokenise
    tokenize toss touch trace track trade train transcode transcribe transfer transform
    translate transmit transpose trash travel trigger trim try tune turn tweet unassign unban
    unblock uncover understand undo unfollow unfreeze uninstall unlink unload unlock unmute
    unpack unpin unpublish unregister unstar unsubscribe untag unwatch unzip update upgrade
    upload upsert use validate verify view visit visualise visualize vote wait wake walk warn
    wash watch wc weigh whitelist whois win wipe withdraw write yield zip zoom
    """.split()  # noqa: SIM905 -- 500 words are read as a text
)
