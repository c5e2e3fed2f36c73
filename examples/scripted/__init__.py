"""Scripted providers: local servers that say what they were told to, and check every request.

Each API has a file of rules, written from its documentation and its SDK's types and from nothing of
this project, so that it can say what the adapters get wrong.
"""
